// Which addresses a script of somebody's own may not connect to: all but its server's, whatever it imports and however it names them.

/** -> the bits of 10.0.0.5, fd00::7 or, with its first bits alone, 127.0.0.0/8. */
function bitsOf(text) {
  const [address, length] = text.split('/');
  const isLong = address.includes(':');
  const width = isLong ? 16 : 8;
  const numbers = isLong ? groupsOf(address) : address.split('.').map(Number);
  const bits = numbers.map((number) => number.toString(2).padStart(width, '0')).join('');
  return bits.slice(0, length === undefined ? bits.length : Number(length));
}

/** -> the eight numbers of an address in which :: may stand for some zeros. */
function groupsOf(address) {
  const [head, tail] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  if (tail === undefined) return head.map((group) => Number.parseInt(group, 16));
  const zeros = Array(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

/** -> a network as k6 takes it, such as 128.0.0.0/1. */
function networkOf(bits, all) {
  const width = all === 32 ? 8 : 16;
  const numbers = bits.padEnd(all, '0').match(new RegExp(`.{${width}}`, 'g'));
  const text = numbers.map((part) => Number.parseInt(part, 2).toString(all === 32 ? 10 : 16));
  return `${text.join(all === 32 ? '.' : ':')}/${bits.length}`;
}

/** The networks below a prefix that hold none of some addresses. */
function without(prefix, kept, all) {
  if (!kept.some((bits) => bits.startsWith(prefix))) {
    return kept.some((bits) => prefix.startsWith(bits)) ? [] : [networkOf(prefix, all)];
  }
  if (kept.includes(prefix)) return [];
  return ['0', '1'].flatMap((bit) => without(prefix + bit, kept, all));
}

/** -> networks that hold every address but these, of both kinds. @param {string[]} addresses such as 10.0.0.5, ::1 or 127.0.0.0/8 */
export function everythingBut(addresses) {
  const of = (isLong) => addresses.filter((text) => text.includes(':') === isLong).map(bitsOf);
  return [...without('', of(false), 32), ...without('', of(true), 128)];
}
