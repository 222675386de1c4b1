import { expect, test } from 'vitest'
import { nalUnitsOf } from './annex-b.ts'

test.each([
  {
    name: 'start codes of three and four bytes',
    bytes: '00000001 6742 000001 68ce 00000001 6588',
    units: ['6742', '68ce', '6588'],
  },
  { name: 'zeros after a unit', bytes: '000001 6742 000000 000001 68', units: ['6742', '68'] },
  { name: 'an empty unit is none', bytes: '000001 000001 68', units: ['68'] },
  { name: 'what stands before the first start code is no unit', bytes: '6742 000001 68', units: ['68'] },
  { name: 'no start code', bytes: '6742', units: [] },
])('$name', ({ bytes, units }) => {
  const data = Buffer.from(bytes.replaceAll(' ', ''), 'hex')
  expect(nalUnitsOf(data).map((unit) => unit.toString('hex'))).toEqual(units)
})
