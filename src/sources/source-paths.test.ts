import { describe, expect, test } from 'vitest'
import { anAccount } from '../../test/builders/plain-account.ts'
import { aSource } from '../../test/builders/source.ts'
import { AppError } from '../core/errors.ts'
import { createSourcePaths } from './source-paths.ts'
import { type Source } from './source.ts'

const account = anAccount({ username: 'ann' })

/** `here` is our own media server, and `ann` uses her own paths only. */
function createRig({ source, isTaken = false }: { source?: Source; isTaken?: boolean } = {}) {
  const calls: string[] = []
  const paths = createSourcePaths({
    store: { findById: async () => source },
    registry: {
      async change(_account, _id, change) {
        if (isTaken) throw new AppError('path-in-use')
        const { mediaPath, recordingMode } = change(source!)
        calls.push(`moved to ${mediaPath}, recorded: ${recordingMode}`)
        return { before: source!, source: source! }
      },
    },
    streams: {
      addresses: {
        async pathOf(url: string) {
          if (!url.includes('//here/')) return undefined
          return /\/\/here\/(\w+\/\w+)$/.exec(url)?.[1] ?? null
        },
      },
    },
    refresh: async (...changed) => void calls.push(`refreshed ${changed.join()}`),
    owners: { mayUse: async (_account, username) => username === 'ann' },
    dials: {
      async checkStream(_account, url) {
        if (url.includes('denied')) throw new AppError('input-invalid')
        calls.push(`checked ${url}`)
      },
    },
    findAccount: async () => account,
  })
  return { paths, calls }
}

describe('the path of an address', () => {
  test('an own path of ours is named, and one elsewhere is checked', async () => {
    const { paths, calls } = createRig()
    expect(await paths.mediaPathOf(account, 'rtsp://here/ann/cam')).toBe('ann/cam')
    expect(calls).toEqual([])
    expect(await paths.mediaPathOf(account, 'rtsp://cam.test/x')).toBeNull()
    expect(calls).toEqual(['checked rtsp://cam.test/x'])
  })

  test.each([
    ['another’s path', 'rtsp://here/bob/cam', 'stream-not-found'],
    ['no path', 'rtsp://here/', 'input-invalid'],
    ['a host that may not be called', 'rtsp://denied/x', 'input-invalid'],
  ])('%s is refused', async (_name, url, code) => {
    await expect(createRig().paths.mediaPathOf(account, url)).rejects.toMatchObject({ code })
  })
})

describe('where a process reads a source', () => {
  test.each<[string, Source | undefined, string | null]>([
    ['a source that is gone', undefined, null],
    ['a file', aSource({ type: 'file', mediaPath: null }), null],
    ['a path of ours', aSource({ mediaPath: 'ann/cam' }), 'ann/cam'],
    [
      'a camera that we call',
      aSource({ mediaPath: 'ann/gate', isPulled: true, inputUrl: 'rtsp://cam.test/x' }),
      'ann/gate',
    ],
  ])('%s', async (_name, source, path) => {
    const { paths } = createRig({ ...(source && { source }) })
    expect(await paths.pathToRead('id')).toBe(path)
  })

  test('a path that its account may use no longer is refused', async () => {
    const { paths } = createRig({ source: aSource({ mediaPath: 'bob/cam' }) })
    await expect(paths.pathToRead('id')).rejects.toMatchObject({ code: 'stream-not-found' })
  })

  test.each([
    ['events', 'moved to ann/cam, recorded: events'],
    ['off', 'moved to ann/cam, recorded: off'],
  ] as const)(
    'an address that leads here by now becomes a path, recorded as before: %s',
    async (recordingMode, moved) => {
      const inputUrl = 'rtsp://here/ann/cam'
      const source = aSource({ mediaPath: 'ann/gate', isPulled: true, inputUrl, recordingMode })
      const { paths, calls } = createRig({ source })
      expect(await paths.pathToRead(source.id)).toBe('ann/cam')
      expect(calls).toEqual([moved, 'refreshed ann/gate,ann/cam'])
      const taken = createRig({ source, isTaken: true })
      await expect(taken.paths.pathToRead(source.id)).rejects.toMatchObject({ code: 'path-in-use' })
      expect(taken.calls).toEqual([])
    },
  )
})
