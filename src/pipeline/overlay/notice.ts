import { type Font, type TextLine } from './font.ts'
import { PAPER } from './colours.ts'
import { type TextStyle } from './overlay-style.ts'
import { drawText } from './text.ts'
import { fillBox, type YuvPlanes } from './yuv-planes.ts'

/** A sentence in the middle of the picture, on as many lines as it needs. */
export function drawNotice(planes: YuvPlanes, sentence: string, { font, lineHeight, padding }: TextStyle): void {
  const lines = wrap(sentence, font, planes.width - 4 * padding)
  const width = 2 * Math.ceil((Math.max(...lines.map((line) => line.width)) + 4 * padding) / 2)
  const height = lines.length * lineHeight + 2 * padding
  const left = 2 * Math.round((planes.width - width) / 4)
  const top = 2 * Math.round((planes.height - height) / 4)
  fillBox(planes, { x: left, y: top, width, height }, PAPER)
  for (const [index, line] of lines.entries()) {
    const x = Math.round((planes.width - line.width) / 2)
    const y = top + padding + index * lineHeight + Math.round((lineHeight - font.capHeight) / 2)
    drawText(planes, line, x, y)
  }
}

function wrap(sentence: string, font: Font, room: number): TextLine[] {
  const lines: string[] = []
  for (const word of sentence.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length > 0 && font.layOut(longer).width <= room) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map((line) => font.layOut(line))
}
