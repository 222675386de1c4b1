import { expect, test } from 'vitest'
import { tryProvider } from './provider-trial.ts'

test('the CPU computes what it should', async () => {
  await expect(tryProvider('cpu')).resolves.toBeUndefined()
})

test('a provider that ONNX Runtime does not have is not replaced by another in silence', async () => {
  await expect(tryProvider('openvino')).rejects.toThrow('backend not found')
})
