import { expect, test } from 'vitest'
import { loadConfig } from './config.ts'
import { openDoors } from './open-doors.ts'

test.each([
  [{}, []],
  [{ AERIE_MEDIA_AUTH: 'remote' }, [/every program and user on this machine/]],
  [{ AERIE_MEDIA_AUTH: 'off', AERIE_METRICS_AUTH: 'off' }, [/whoever reaches this service may watch/, /\/metrics/]],
])('%j opens as much as is said', (settings, sentences) => {
  expect(openDoors(loadConfig(settings))).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)))
})
