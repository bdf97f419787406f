// Builds elements. Texts become text nodes: text of a server is never markup.

const SVG = 'http://www.w3.org/2000/svg';

/** An element: h('a', {href: '#/', class: 'x', onclick: f}, 'text', child). */
export function h(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

/** An element of a drawing. */
export function svg(tag, props = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

function filled(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked' || name === 'disabled') element[name] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * Makes these the children of an element and moves none that is in its place already, so that the
 * focus and a click that has begun survive.
 */
export function arrange(element, children) {
  const wanted = children.flat().filter((child) => child !== null && child !== undefined);
  const kept = new Set(wanted);
  [...element.childNodes].forEach((child) => { if (!kept.has(child)) child.remove(); });
  let at = element.firstChild;
  for (const child of wanted) {
    if (child === at) at = at.nextSibling;
    else element.insertBefore(child, at);
  }
  return element;
}

/** Creates nodes by key, and reuses a node while its content is the same. */
export function keeper(make) {
  let kept = new Map();
  return (items) => {
    const now = new Map();
    const nodes = items.map(({key, state, item}) => {
      const known = kept.get(key);
      const entry = known && known.state === state ? known : {state, node: make(item)};
      now.set(key, entry);
      return entry.node;
    });
    kept = now;
    return nodes;
  };
}

export const byId = (id) => document.getElementById(id);

/** Announces a text to screen readers. */
export function announce(text) {
  byId('news').textContent = text;
}
