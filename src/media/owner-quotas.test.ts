import { describe, expect, test } from 'vitest'
import { createOwnerQuotas } from './owner-quotas.ts'

const refused = expect.objectContaining({ name: 'MediaRefusal', reason: 'limit-reached' }) as Error

describe('paths', () => {
  const quota = { owner: 'ann', maxPaths: 2 }

  test('an owner has so many at a time, and its own path taken again is none more', () => {
    const quotas = createOwnerQuotas()
    for (const path of ['ann/a', 'ann/b']) {
      quotas.checkPath(path, quota)
      quotas.takePath(path, quota)
    }
    expect(() => quotas.checkPath('ann/c', quota)).toThrow(refused)
    quotas.checkPath('ann/b', quota)
    quotas.checkPath('bob/a', { owner: 'bob', maxPaths: 1 })
    quotas.releasePath('ann/a')
    quotas.checkPath('ann/c', quota)
  })

  test('without a quota none is counted', () => {
    const quotas = createOwnerQuotas()
    quotas.takePath('ann/a', undefined)
    quotas.checkPath('ann/b', undefined)
    quotas.checkPath('ann/b', { owner: 'ann', maxPaths: 1 })
  })
})

describe('readers', () => {
  test('an owner has so many at a time, over all its paths', () => {
    const quotas = createOwnerQuotas()
    const [one, other] = [1, 2].map(() => quotas.readerSlots({ owner: 'ann', maxReaders: 1 }))
    const release = one!.take()
    expect(() => other!.check()).toThrow(refused)
    expect(() => other!.take()).toThrow(refused)
    quotas.readerSlots({ owner: 'bob', maxReaders: 1 }).check()
    release()
    other!.take()
  })

  test('without a quota there is always room', () => {
    const slots = createOwnerQuotas().readerSlots(undefined)
    slots.take()
    slots.check()
  })
})
