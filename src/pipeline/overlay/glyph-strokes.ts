/**
 * Our own font, as pen strokes: drawn at any size, so that text is crisp at every resolution. A point is two base-36 digits,
 * x and y, on a grid where capitals reach from 0 down to e (the baseline), small letters begin at 4 and tails end at i.
 * Strokes are apart by spaces; `~` before one rounds its corners, `z` behind it closes it.
 */
const strokesOf: Record<string, string> = {
  '!': '0009 0d0e',
  '"': '0004 4044',
  '#': '302e 706e 0595 0a9a',
  $: '~84820207878c0c0a 404e',
  '%': '~00404606z ~68a8ae6ez 901e',
  '&': '8e13 ~13107073 7308 ~080e6e89',
  "'": '0004',
  '(': '~30050a3e',
  ')': '~00353a0e',
  '*': '3139 0367 6307',
  '+': '444c 0888',
  ',': '1d0h',
  '-': '0858',
  '.': '0d0e',
  '/': '0f60',
  '0': '~00707e0ez',
  '1': '13404e',
  '2': '~030070750e 0e7e',
  '3': '~0200707727 ~27777e0e0c',
  '4': '5e500a7a',
  '5': '700006 ~06767e0e0c',
  '6': '~60000e7e7606',
  '7': '00702e',
  '8': '~00707707z ~07777e0ez',
  '9': '~780800707e1e',
  ':': '0506 0d0e',
  ';': '1516 1d0h',
  '<': '73087d',
  '=': '0676 0a7a',
  '>': '03780d',
  '?': '~02006066363a 3d3e',
  '@': '~95454b9b ~959bdbd0000eae',
  A: '0e408e 1a7a',
  B: '000e ~00707707 ~07878e0e',
  C: '~8380000e8e8b',
  D: '000e ~00808e0e',
  E: '70000e7e 0767',
  F: '70000e 0767',
  G: '~8380000e8e88 8848',
  H: '000e 808e 0787',
  I: '0040 202e 0e4e',
  J: '~606e0e0b',
  K: '000e 7009 277e',
  L: '000e7e',
  M: '0e0048808e',
  N: '0e008e80',
  O: '~00909e0ez',
  P: '0e00 ~00808808',
  Q: '~00909e0ez 6aaf',
  R: '0e00 ~00808707 478e',
  S: '~83800007878e0e0b',
  T: '0080 404e',
  U: '~000e8e80',
  V: '004e80',
  W: '003e648ec0',
  X: '008e 800e',
  Y: '004780 474e',
  Z: '00800e8e',
  '[': '30000e3e',
  '\\': '006f',
  ']': '00303e0e',
  '^': '053065',
  _: '0f8f',
  '`': '0022',
  a: '~14646e ~69090e6e',
  b: '000e ~04646e0e',
  c: '~6664040e6e6c',
  d: '606e ~64040e6e',
  e: '0969 ~6964040e6e',
  f: '~50202e 0454',
  g: '~64040e6e ~646i1i',
  h: '000e ~04646e',
  i: '040e 00',
  j: '~242i0i 20',
  k: '000e 640a 286e',
  l: '~000e2e',
  m: '040e ~04545e ~54a4ae',
  n: '040e ~04646e',
  o: '~04646e0ez',
  p: '040i ~04646e0e',
  q: '646i ~64040e6e',
  r: '040e ~080444',
  s: '~640409696e0e',
  t: '~202e5e 0454',
  u: '~040e6e 646e',
  v: '043e64',
  w: '042e456e84',
  x: '046e 640e',
  y: '043e 641i',
  z: '04640e6e',
  '{': '~40202707 ~07272e4e',
  '|': '000g',
  '}': '~00202747 ~47272e0e',
  '~': '~090737497976',
  '·': '0708',
  '°': '~00404404z',
  '…': '0d0e 4d4e 8d8e',
}

/** Stands for whatever the font doesn't have: an empty box. */
export const UNKNOWN = '\ufffd'
const emptyBox = '00606e0ez'

export interface Stroke {
  readonly points: readonly (readonly [x: number, y: number])[]
  readonly isRounded: boolean
  readonly isClosed: boolean
}

/** Grid units from the top of a capital to the baseline, and to the end of a tail. */
export const BASELINE = 14
export const TAIL = 18

/** The strokes of a character; none for a space. */
export function glyphStrokes(character: string): readonly Stroke[] {
  if (character === ' ') return []
  return (strokesOf[character] ?? emptyBox).split(' ').map((text) => {
    const pairs = text.replace(/^~|z$/g, '').match(/../g)!
    return {
      points: pairs.map((pair) => [parseInt(pair[0]!, 36), parseInt(pair[1]!, 36)] as const),
      isRounded: text.startsWith('~'),
      isClosed: text.endsWith('z'),
    }
  })
}

export function isDrawable(character: string): boolean {
  return character === ' ' || character in strokesOf
}
