import { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aTrackPicture, jpegOf, seen } from '../../test/builders/report.ts'
import { createReportRig, type ReportRig } from '../../test/support/report-rig.ts'
import { createEventLinks } from '../core/event-links.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { type Process } from '../processes/process.ts'

let rig: ReportRig
let api: FastifyInstance
let process: Process
beforeEach(async () => {
  rig = await createReportRig()
  api = await rig.createApi({ admin: rig.account, somebody: { ...rig.account, id: 'somebody', username: 'somebody' } })
  process = await rig.addProcess()
  rig.see(process, [seen(1), seen(2)])
})
afterEach(async () => {
  await api.close()
  await rig.remove()
})

/** Who sends no key has the link alone. */
async function ask(url: string, key?: string) {
  const { statusCode, headers, rawPayload } = await api.inject({
    url,
    headers: key === undefined ? {} : { api_key: key },
  })
  const isJson = String(headers['content-type']).includes('json')
  const body = isJson ? (JSON.parse(String(rawPayload)) as { code?: string }) : undefined
  return { status: statusCode, headers, rawPayload, code: body?.code }
}
const pathOf = (trackId: number | string) => `/process/${process.id}/tracks/${trackId}/picture.jpg`
function linkTo(trackId: number, kind: 'track-picture' | 'track-clip' = 'track-picture'): string {
  const signer = createLinkSigner('secret')
  const links = createEventLinks({ signer, serviceUrl: () => '', validMs: 3_600_000, clock: rig.clock })
  return links.urlOf({ kind, processId: process.id, trackId })
}
const picture = aTrackPicture(1, { jpeg: jpegOf('track 1') })

test('a track’s best picture is there for its key, and for who has a link to it', async () => {
  rig.show(process, picture, aTrackPicture(1, { role: 'crop', jpeg: jpegOf('larger') }))
  for (const shown of [await ask(pathOf(1), 'admin'), await ask(linkTo(1))]) {
    expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect(shown.rawPayload.equals(picture.jpeg)).toBe(true)
  }
})

test('a link is to one picture, for its time, and ends with the key', async () => {
  rig.show(process, picture)
  const token = linkTo(1).split('token=')[1]!
  for (const wrong of [
    `${pathOf(2)}?token=${token}`,
    `${pathOf(1)}?token=x`,
    `${pathOf(1)}?token=`,
    `${pathOf(1)}?token=${linkTo(1, 'track-clip').split('token=')[1]!}`,
  ])
    // prettier-ignore
    expect(await ask(wrong)).toMatchObject({ status: 403, code: 'link-expired' })
  expect(await ask(pathOf(1))).toMatchObject({ status: 403 })
  const link = linkTo(1)
  await rig.clock.advance(3_601_000)
  expect(await ask(link)).toMatchObject({ status: 403, code: 'link-expired' })
  rig.takeKey()
  expect(await ask(linkTo(1))).toMatchObject({ status: 403, code: 'link-expired' })
})

test('the first picture of a new track may still come; of an old one, or of a process that has ended, none does', async () => {
  const waiting = await ask(linkTo(2))
  expect([waiting.status, waiting.headers['retry-after']]).toEqual([202, '1'])
  await rig.clock.advance(4_000)
  rig.see(process, [seen(2)])
  expect((await ask(linkTo(2))).status).toBe(202)
  await rig.clock.advance(2_000)
  rig.see(process, [seen(2), seen(3)])
  expect(await ask(linkTo(2))).toMatchObject({ status: 404, code: 'picture-not-found' })
  expect((await ask(linkTo(3))).status).toBe(202)
  await rig.end(process)
  expect(await ask(linkTo(3))).toMatchObject({ status: 404, code: 'picture-not-found' })
})

test('what is not there is named', async () => {
  expect(await ask(linkTo(9))).toMatchObject({ status: 404, code: 'track-not-found' })
  expect(await ask(pathOf(9), 'admin')).toMatchObject({ status: 404, code: 'track-not-found' })
  expect(await ask(pathOf(1), 'somebody')).toMatchObject({ status: 404, code: 'report-not-found' })
  expect((await ask(pathOf('first'), 'admin')).status).toBe(422)
})
