/** A contact that was made at one node is notified by the node that has the process; also when that one dies while it would send. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodedJpeg } from '../support/decoded-jpeg.ts'
import { createMailServer, type MailServer, pictureOfMail, type ReceivedMail } from '../support/mail-server.ts'
import { createNodeCluster, type NodeCluster } from '../support/node-cluster.ts'
import { type Started } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let cluster: NodeCluster
let mailServer: MailServer
let contactId: string
beforeAll(async () => {
  ;[cluster, mailServer] = await Promise.all([createNodeCluster(['a', 'b']), createMailServer()])
  const addresses = { from: 'aerie@example.org', to: ['guard@example.org'] }
  const config = { host: '127.0.0.1', port: mailServer.port, security: 'none', ...addresses }
  const body = { alias: 'guard', type: 'email', config, max_per_minute: 60 }
  ;({ contact_uuid: contactId } = await cluster.node('b').ask<{ contact_uuid: string }>('POST', '/contact', { body }))
})
afterAll(() => Promise.all([cluster.remove(), mailServer.close()]))

/** Each message has its own; sent again it has the same. */
const idOf = ({ raw }: ReceivedMail) => /^Message-ID: (\S+)/im.exec(raw)![1]!
const aliasOf = ({ raw }: ReceivedMail) => /^Subject: .*?(first|second)/im.exec(raw)?.[1]
const mailsOf = (alias: string) => mailServer.mails.filter((mail) => aliasOf(mail) === alias)

/** One that notifies of whom it sees first, and of the others an hour later. */
const addAlert = (alias: string) =>
  cluster.node('a').ask('POST', '/alert', {
    body: {
      alias,
      type: 'filter-search',
      trigger: { for_seconds: 0, cooldown_seconds: 3_600 },
      output: [{ type: 'contact', config: { contact_uuid: contactId } }],
    },
  })

async function runAtA(name: string): Promise<string> {
  const { sourceId } = await cluster.goLive('a', name)
  const started = await cluster.node('a').ask<Started>('POST', `/start?source_uuid=${sourceId}`)
  expect(await cluster.nodeOf(started.process_uuid)).toBe('a')
  return started.process_uuid
}

test('what is seen at one node comes once, with its picture, to a contact of the other', async () => {
  await addAlert('first')
  await runAtA('yard')
  await until(async () => mailsOf('first').length > 0, 60_000)
  expect(await decodedJpeg(pictureOfMail(mailsOf('first')[0]!.raw)!)).toMatchObject({ width: 640, height: 480 })
  const statusOf = async () =>
    (await cluster.node('b').ask<{ status: { last_sent_at: string | null } }>('GET', `/contact/${contactId}`)).status
  await until(async () => (await statusOf()).last_sent_at !== null)
  expect(await statusOf()).toMatchObject({ problem: null, held: 0 })
  expect(mailsOf('first')).toHaveLength(1)
  await expect(cluster.node('b').ask('DELETE', `/contact/${contactId}`)).rejects.toThrow(/contact-in-use.*first/)
})

test('what a node was sending when it died is sent by the other, once', async () => {
  const held: ReceivedMail[] = []
  // It has the mail, and does not say so: nobody knows whether it was taken.
  mailServer.answerBy((mail) => void held.push(mail))
  await addAlert('second')
  await until(async () => held.some((mail) => aliasOf(mail) === 'second'), 60_000)
  await cluster.node('a').kill()
  mailServer.answerBy((_mail, take) => take())
  const [left] = held.filter((mail) => aliasOf(mail) === 'second')
  const arrived = () => mailServer.mails.filter((mail) => idOf(mail) === idOf(left!))
  await until(async () => arrived().length > 0, 60_000)
  // What came after it came too: nothing is behind it any more that could be a second one.
  await cluster.node('b').ask('DELETE', '/processes')
  await until(async () => (await cluster.node('b').ask<object[]>('GET', '/processes?state=live')).length === 0)
  expect(arrived()).toHaveLength(1)
  expect(mailServer.mails.map(idOf)).toHaveLength(new Set(mailServer.mails.map(idOf)).size)
})
