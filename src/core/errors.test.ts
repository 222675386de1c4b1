import { expect, test } from 'vitest'
import { AppError, listErrors, titleOf } from './errors.ts'

test('an error carries its status, code and filled-in sentence', () => {
  const error = new AppError('key-limit-reached', { limit: 3 })
  expect(error).toMatchObject({ code: 'key-limit-reached', status: 403 })
  expect(error.message).toBe('This master key has as many child keys as it may (3); revoke one first.')
})

test('a title is the code in words', () => {
  expect(titleOf('api-key-invalid')).toBe('Api key invalid')
})

test('no sentence says 1 sources or 1 seconds', () => {
  const counted = /\{(limit|pending_minutes|retry_after_seconds)\} [a-z]+s\b/i
  expect(listErrors().filter(({ message }) => counted.test(message))).toEqual([])
})

test('every error is a client or server status with a sentence', () => {
  for (const { status, message } of listErrors()) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(message).toMatch(/[.}]$/)
  }
})

test('a full disk needs room, and only a budget that is used up can be raised', () => {
  expect(new AppError('disk-full').message).toMatch(/make room on it\.$/)
  expect(new AppError('disk-share-used-up', { share_bytes: 1 }).message).toMatch(/raise AERIE_DISK_BUDGET\.$/)
})
