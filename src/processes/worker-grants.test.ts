import { expect, test } from 'vitest'
import { type VideoOutput } from '../core/video-output.ts'
import { createWorkerGrants } from './worker-grants.ts'

function setUp() {
  const held = new Set<string>()
  const grants = createWorkerGrants((action, path) => {
    const url = `rtsp://hub/${path}?${action}`
    held.add(url)
    return { url, revoke: () => void held.delete(url) }
  })
  return { grants, held: () => [...held] }
}
const output: VideoOutput = { id: 'o', lines: null, target: { kind: 'hub', path: 'ann/out' } }

test('what is at our media server gets an address; all else stays as it is', () => {
  const { grants } = setUp()
  expect(grants.forInput({ kind: 'hub', path: 'ann/cam' })).toEqual({
    kind: 'hub',
    path: 'ann/cam',
    url: 'rtsp://hub/ann/cam?read',
  })
  expect(grants.forInput({ kind: 'file', path: 'film.mp4' })).toEqual({ kind: 'file', path: 'film.mp4' })
  expect(grants.forOutput(output)).toMatchObject({ id: 'o', target: { url: 'rtsp://hub/ann/out?publish' } })
  const recording: VideoOutput = { ...output, target: { kind: 'recording', folder: 'here' } }
  expect(grants.forOutput(recording)).toEqual(recording)
})

test('access goes with what it was for, and all of it at the end', () => {
  const { grants, held } = setUp()
  grants.forInput({ kind: 'hub', path: 'ann/cam' })
  expect(grants.forCommand({ type: 'attach', output })).toMatchObject({ output: { target: { path: 'ann/out' } } })
  grants.forCommand({ type: 'preview', target: { kind: 'hub', path: 'ann/cam/~preview' } })
  expect(held()).toEqual([
    'rtsp://hub/ann/cam?read',
    'rtsp://hub/ann/out?publish',
    'rtsp://hub/ann/cam/~preview?publish',
  ])
  grants.forCommand({ type: 'detach', outputId: 'o' })
  expect(grants.forCommand({ type: 'preview', target: null })).toEqual({ type: 'preview', target: null })
  expect(held()).toEqual(['rtsp://hub/ann/cam?read'])
  grants.revokeAll()
  expect(held()).toEqual([])
})
