import { expect, test } from 'vitest'
import { type Account } from './account.ts'
import { checkHosts, type ObjectionTo } from './check-hosts.ts'

const account = { id: 'a' } as Account
const objectionTo: ObjectionTo = async (_account, hostname, port) =>
  hostname === 'inside' ? `may not be called at ${port ?? 'any port'}` : undefined

test('hosts that nothing is against pass', async () => {
  await checkHosts(objectionTo, account, [])
  await checkHosts(objectionTo, account, [{ path: 'body.url', hostname: 'outside' }])
})

test('all that may not be called are refused together, each at its place', async () => {
  const hosts = [
    { path: 'body.url', hostname: 'inside' },
    { path: 'body.auth_url', hostname: 'outside' },
    { path: 'body.broker', hostname: 'inside', port: 1883 },
  ]
  await expect(checkHosts(objectionTo, account, hosts)).rejects.toMatchObject({
    code: 'input-invalid',
    status: 422,
    errors: [
      { path: 'body.url', message: 'may not be called at any port' },
      { path: 'body.broker', message: 'may not be called at 1883' },
    ],
  })
})
