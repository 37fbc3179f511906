/**
 * Makes an element.
 * @param {string} name @param {object} attributes `class`, `aria-label`, ...; a function is a listener: {click: f} @param {(Node|string)[]} children
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value !== null && value !== false) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}
