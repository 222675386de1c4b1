import { type ModelRecord } from '@aerie/client'
import { expect, test } from 'vitest'
import { wordsOf } from './model-words.ts'

const airborne: ModelRecord = {
  name: 'airborne',
  is_default: false,
  is_brought: false,
  computed_by: 'cpu',
  status: 'beta',
  suggested_tiles: 'auto',
  use_when: 'A camera that looks at the sky.',
  family: 'aerie',
  input: { width: 640, height: 640 },
  licence: 'Apache-2.0',
  attribution: 'Trained on the Drone-detection-dataset (CC0 1.0)',
  description: 'What flies.',
  accuracy: {
    published_coco_map: null,
    people: null,
    measured: [{ on: 'visible: 43 videos', average_precision: { drone: 0.826, bird: 0.73 } }],
  },
  reference_speed: { one_thread_ms: 88, two_threads_ms: 51 },
  speed: null,
  classes: [
    { class_id: 0, class_name: 'drone' },
    { class_id: 3, class_name: 'bird' },
  ],
}

test('a model says what it is for, what it finds, how well and how fast, and whose work it is', () => {
  expect(wordsOf(airborne)).toEqual({
    title: 'airborne (beta)',
    lines: [
      'A camera that looks at the sky.',
      'Finds drone, bird.',
      'Average precision (1 is perfect): visible: 43 videos: drone 0.83, bird 0.73.',
      'About 88 ms a look on one core (Neoverse-N1).',
      'Apache-2.0, Trained on the Drone-detection-dataset (CC0 1.0)',
    ],
  })
})

test('a speed of this machine is better than that of another', () => {
  const speed = { inference_ms_p50: 101.6, inference_ms_p95: 130, threads: 1, measured_at: '2026-01-01T00:00:00Z' }
  expect(wordsOf({ ...airborne, speed }).lines).toContain('102 ms a picture on this machine when it was last used.')
})

test('of a model that a user brought little is known', () => {
  const classes = Array.from({ length: 8 }, (_, id) => ({ class_id: id, class_name: `thing ${id}` }))
  const nothing = { status: null, use_when: null, description: null, attribution: null, accuracy: null }
  const brought = { ...airborne, ...nothing, name: 'mine', reference_speed: null, classes }
  expect(wordsOf(brought)).toEqual({
    title: 'mine',
    lines: ['Finds thing 0, thing 1, thing 2, thing 3, thing 4, thing 5 and 2 more.', 'Apache-2.0'],
  })
})
