import { expect, test } from 'vitest'
import { chooseNumberFormat, mixedSignsSaturate } from './number-format-choice.ts'

test('arm64 computes with signed numbers throughout', async () => {
  expect(await chooseNumberFormat('arm64')).toEqual({ activations: 'int8', weights: 'int8' })
})

test('x64 computes with unsigned activations, and with signed weights only where that is exact', async () => {
  const weights = (await mixedSignsSaturate()) ? 'uint8' : 'int8'
  expect(await chooseNumberFormat('x64')).toEqual({ activations: 'uint8', weights })
})
