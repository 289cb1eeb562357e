// Makes a client from the contract, checks by the compiler that generated.ts fits it, and runs that against a server.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const [contract, server] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const types = await openapiTS(pathToFileURL(contract), { silent: true });
writeFileSync(join(here, "generated-schema.d.ts"), astToString(types));
const compiler = join(here, "node_modules", "typescript", "bin", "tsc");
try {
  execFileSync(process.execPath, [
    compiler, "--strict", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext",
    "--skipLibCheck", "--types", "node", "--outDir", join(here, "generated"), join(here, "generated.ts"),
  ], { cwd: here });
} catch (e) {
  throw new Error(String(e.stdout));
}
process.stdout.write(
  execFileSync(process.execPath, [join(here, "generated", "generated.js"), server]),
);
