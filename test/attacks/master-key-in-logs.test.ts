/** The master key was printed on standard error also where that is a journal or a file, in which it then stays. */
import { afterEach, expect, test } from 'vitest'
import { type RunningDemo, startDemo } from '../support/demo.ts'
import { type Installation } from '../support/installation.ts'
import { createInstallation } from '../support/service.ts'

let installation: Installation | undefined
let demo: RunningDemo | undefined
afterEach(async () => {
  await installation?.remove()
  await demo?.remove()
})

test('the first start says where the master key is, and not the key', async () => {
  installation = createInstallation()
  const service = await installation.start({ AERIE_LOG_LEVEL: 'trace' })
  expect(service.stderr()).toContain(`Your master key is in ${installation.dataDir}/master.key.`)
  expect(service.stderr()).not.toContain(installation.masterKey)
})

test('neither does the demo print it into a file', async () => {
  demo = await startDemo()
  expect(demo.output()).toContain(`${demo.folder}/master.key`)
  expect(demo.output()).not.toContain(demo.key)
})
