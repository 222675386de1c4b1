import { copyFile, open, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { createSpoolFile, openSpoolFile, type SpoolFile } from './spool-file.ts'

const SIZE_BYTES = 8_192
const folder = useTemporaryFolder('aerie-spool-file-')
const path = () => join(folder(), 'spool')
const payloadsOf = (...texts: string[]) => texts.map((text) => Buffer.from(text))

let file: SpoolFile
beforeEach(async () => {
  await createSpoolFile(path(), SIZE_BYTES)
  file = (await openSpoolFile(path()))!.file
})
afterEach(() => file.close())

/** What a service finds that starts on this file after the other was killed. */
async function found(at = path()): Promise<string[] | undefined> {
  const opened = await openSpoolFile(at)
  await opened?.file.close()
  return opened?.payloads.map((payload) => payload.toString())
}

test('it has its size from the beginning, for its owner only', async () => {
  const { size, mode } = await stat(path())
  expect([size, mode & 0o777]).toEqual([SIZE_BYTES, 0o600])
  expect(await readdir(folder())).toEqual(['spool'])
  expect(await found()).toEqual([])
})

test('what was added is there after a kill, in its order, and what is added then stands behind it', async () => {
  await file.append(payloadsOf('1', '2'))
  await file.append(payloadsOf('3'))
  expect(await found()).toEqual(['1', '2', '3'])
  await file.close()
  file = (await openSpoolFile(path()))!.file
  await file.append(payloadsOf('4'))
  expect(await found()).toEqual(['1', '2', '3', '4'])
  expect((await stat(path())).size).toBe(SIZE_BYTES)
})

test('when a half is full nothing more is added, until it is written anew', async () => {
  const long = 'x'.repeat(1_000)
  let count = 0
  while (await file.append(payloadsOf(`${long}${count}`))) count += 1
  expect(count).toBe(Math.floor(file.maxBytes / 1_017))
  expect(await found()).toHaveLength(count)
  for (let round = 0; round < 5; round++) {
    await file.rewrite(payloadsOf('kept', String(round)))
    expect(await found()).toEqual(['kept', String(round)])
    await file.append(payloadsOf('added'))
    expect(await found()).toEqual(['kept', String(round), 'added'])
  }
})

test('killed at any byte of a rewrite, it has what was there before or what is there now', async () => {
  await file.append(payloadsOf('before', 'and this'))
  await file.rewrite(payloadsOf('before', 'and this'))
  const before = await readFile(path())
  await file.rewrite(payloadsOf('now'))
  const after = await readFile(path())
  const changed = [...after.keys()].filter((at) => after[at] !== before[at])
  // The head of a half is its first 24 bytes, and is written last.
  const isHead = (at: number) => at % (SIZE_BYTES / 2) < 24
  const inOrder = [...changed.filter((at) => !isHead(at)), ...changed.filter(isHead)]
  const copy = join(folder(), 'copy')
  for (let count = 0; count <= inOrder.length; count++) {
    const torn = Buffer.from(before)
    for (const at of inOrder.slice(0, count)) torn[at] = after[at]!
    await writeFile(copy, torn)
    expect(await found(copy), `${count} of ${inOrder.length}`).toEqual(
      count === inOrder.length ? ['now'] : ['before', 'and this'],
    )
  }
})

test('one in which nothing can be read is none', async () => {
  const copy = join(folder(), 'copy')
  await copyFile(path(), copy)
  const handle = await open(copy, 'r+')
  await handle.write(Buffer.alloc(4), 0, 4, 4)
  await handle.close()
  expect(await found(copy)).toBeUndefined()
  await writeFile(copy, '')
  expect(await found(copy)).toBeUndefined()
})
