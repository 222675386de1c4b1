import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  keepNewMasterKey,
  markMasterKeyShown,
  masterKeyFile,
  readServiceSecret,
  readUnshownMasterKey,
  removeMasterKey,
  serviceSecretFile,
  writeMasterKey,
} from './secret-files.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'aerie-key-'))))
afterEach(() => rmSync(folder, { recursive: true }))

test('a new key is to be shown until it was; what replaced it meanwhile is shown instead', () => {
  keepNewMasterKey(folder, 'ak_first')
  expect(statSync(masterKeyFile(folder)).mode & 0o777).toBe(0o600)
  expect(readUnshownMasterKey(folder)).toBe('ak_first')
  writeMasterKey(folder, 'ak_rotated')
  expect(readUnshownMasterKey(folder)).toBe('ak_rotated')
  markMasterKeyShown(folder)
  expect(readUnshownMasterKey(folder)).toBeUndefined()
  expect(readdirSync(folder)).toEqual(['master.key'])
})

test('a file that its owner has removed is not missed', () => {
  keepNewMasterKey(folder, 'ak_first')
  rmSync(masterKeyFile(folder))
  expect(readUnshownMasterKey(folder)).toBeUndefined()
})

test('a key that is nobody’s leaves nothing', () => {
  keepNewMasterKey(folder, 'ak_first')
  removeMasterKey(folder)
  expect(readdirSync(folder)).toEqual([])
})

test('the secret of the service is made once, for its owner alone', () => {
  const secret = readServiceSecret(folder)
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(readServiceSecret(folder)).toBe(secret)
  expect(statSync(serviceSecretFile(folder)).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['link.secret'])
})

test.each([
  ['of which nothing is on the disk', ''],
  ['of which the half is beside it', 'abc'],
])('a secret that a power cut left, %s, is made anew', (_name, partial) => {
  writeFileSync(serviceSecretFile(folder), '')
  writeFileSync(`${serviceSecretFile(folder)}.part`, partial)
  const secret = readServiceSecret(folder)
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(readServiceSecret(folder)).toBe(secret)
  expect(readdirSync(folder)).toEqual(['link.secret'])
})
