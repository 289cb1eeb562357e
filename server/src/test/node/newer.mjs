// Programs that want a newer Node than most machines have: npm has one as a package for each platform.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const modules = join(dirname(fileURLToPath(import.meta.url)), "node_modules");
const node = join(modules, `node-${process.platform}-${process.arch}`, "bin", "node");

// What a program said, and whether it ended well.
export async function run(program, args) {
  const command = existsSync(node) ? node : process.execPath;
  try {
    const { stdout, stderr } = await promisify(execFile)(command, [join(modules, program), ...args], { maxBuffer: 1 << 26 });
    return { ok: true, stdout, stderr };
  } catch (e) {
    return { ok: false, stdout: e.stdout ?? "", stderr: e.stderr ?? String(e) };
  }
}
