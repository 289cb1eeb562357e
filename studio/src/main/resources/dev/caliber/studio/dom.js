// The one way in which anything gets onto a page. Text becomes text nodes, never markup.

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) {
      node.addEventListener(name.slice(2), value);
    } else if (name === 'href' && !/^[#/]/.test(value)) {
      throw new Error('a link leads out of this server');
    } else if (name === 'value' && 'value' in node) {
      node.value = value;
    } else {
      node.setAttribute(name, value === true ? '' : String(value));
    }
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

/** An element with attributes; `onclick` and its like take functions. */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for drawings. */
export function drawing(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Puts something in the place of what a node has. */
export function show(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

/** Never twice at once: who calls meanwhile has it done once more, after that. */
export function oneAtATime(work) {
  let running = false;
  let wanted = false;
  return async () => {
    wanted = true;
    if (running) return;
    running = true;
    try {
      while (wanted) {
        wanted = false;
        await work();
      }
    } finally {
      running = false;
    }
  };
}

/** Waits for a pause before it calls. */
export function afterPause(milliseconds, call) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...values), milliseconds);
  };
}
