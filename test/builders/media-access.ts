import { digestHa1, digestResponse } from '../../src/core/digest.ts'
import { type Authorize, type Credentials } from '../../src/media/access.ts'
import { MediaRefusal } from '../../src/media/refusal.ts'

export const passwords: Readonly<Record<string, string>> = { ada: 'secret', eve: 'evil' }

/**
 * Ada and Eve may publish below their names and below `shared/`, and read everything. Their keys are
 * `key-of-ada`, their tokens `token-of-ada`. Below `open/` nobody is asked.
 */
export const authorize: Authorize = async (action, path, { credentials }) => {
  const area = path.split('/')[0]!
  if (area === 'down') throw new MediaRefusal('unavailable', 'Nobody can be asked just now.')
  if (area === 'open' && credentials.kind === 'none') return { principal: 'anybody' }
  const principal = nameOf(credentials)
  if (action === 'publish' && area !== principal && area !== 'shared' && area !== 'open') {
    throw new MediaRefusal('forbidden', `${path} is somebody else's.`)
  }
  return { principal }
}

function nameOf(credentials: Credentials): string {
  switch (credentials.kind) {
    case 'none':
      throw new MediaRefusal('credentials-needed', 'Say who you are.')
    case 'password':
      return known(credentials.username, passwords[credentials.username] === credentials.password)
    case 'digest': {
      const { username, realm, response } = credentials
      const ha1 = digestHa1(username, realm, passwords[username] ?? '')
      return known(username, digestResponse(ha1, credentials) === response)
    }
    case 'key':
    case 'token': {
      const text = credentials.kind === 'key' ? credentials.key : credentials.token
      const name = text.replace(`${credentials.kind}-of-`, '')
      return known(name, text !== name)
    }
  }
}

function known(name: string, isRight: boolean): string {
  if (isRight && name in passwords) return name
  throw new MediaRefusal('credentials-wrong', 'That is not you.')
}
