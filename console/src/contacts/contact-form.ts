import { type NewContact } from '@aerie/client'

export type ContactTypeName = NewContact['type']

/** What was typed into the form of a contact. */
export function readContactForm(form: HTMLFormElement): NewContact {
  const fields = new FormData(form)
  const text = (name: string) => {
    const value = fields.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const optional = (name: string) => (text(name) === '' ? {} : { [name]: text(name) })
  const named = { alias: text('alias'), quiet_hours: quietHoursOf(text('quiet_from'), text('quiet_to')) }
  switch (text('type') as ContactTypeName) {
    case 'email': {
      const security = text('security') as 'tls' | 'starttls' | 'none'
      const [to, port] = [text('to').split(/[\s,;]+/), Number(text('port'))]
      const login = { ...optional('username'), ...optional('password') }
      return {
        ...named,
        type: 'email',
        config: { host: text('host'), port, security, from: text('from'), to, ...login },
      }
    }
    case 'ntfy':
      return { ...named, type: 'ntfy', config: { topic: text('topic'), ...optional('server'), ...optional('token') } }
    case 'telegram':
      return { ...named, type: 'telegram', config: { bot_token: text('bot_token'), chat_id: text('chat_id') } }
    case 'webpush':
      return { ...named, type: 'webpush' }
  }
}

/** By the clock of whoever fills it in. */
function quietHoursOf(from: string, to: string) {
  if (from === '' || to === '') return null
  return { from, to, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
}
