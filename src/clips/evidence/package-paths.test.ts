import { expect, test } from 'vitest'
import { fileNameOf } from './package-paths.ts'

test.each([
  ['gate', 'gate'],
  ['Tür/Süd 2', 'Tür-Süd-2'],
  ['../../etc/passwd', 'etc-passwd'],
  ['C:\\video', 'C-video'],
  ['夜の門', '夜の門'],
  ['<>', 'source'],
  ['', 'source'],
  ['a\u0000b\n', 'a-b'],
  ['x'.repeat(60), 'x'.repeat(40)],
  [`${'x'.repeat(39)}--y`, `${'x'.repeat(39)}`],
])('%j is called %s', (alias, name) => expect(fileNameOf(alias)).toBe(name))
