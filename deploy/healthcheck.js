// Whether the service in this container answers; for HEALTHCHECK of the Dockerfile. Without the database it is healthy all the same: a
// restart would mend nothing, and end what goes on without it.
import { get as getPlain } from 'node:http'
import { get as getByTls } from 'node:https'

const { AERIE_HTTP_PORT: port = '8080', AERIE_TLS_CERT: certificate } = process.env
const options = { host: '127.0.0.1', port, path: '/healthz', timeout: 4_000 }
/** On this machine, whose certificate is for the names that others use. */
const request = certificate ? getByTls({ ...options, rejectUnauthorized: false }) : getPlain(options)
request.on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
request.on('timeout', () => request.destroy(new Error('It does not answer.')))
request.on('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
