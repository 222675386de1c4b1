import { expect, test } from 'vitest'
import { restWords, whoWords } from './contact-words.ts'

const phone = { device_uuid: '1', name: 'Firefox on Android', created_at: '' }

test.each([
  [
    { type: 'email', config: { to: ['a@example.org', 'b@example.org'] }, devices: [] },
    'E-mail to a@example.org, b@example.org',
  ],
  [{ type: 'ntfy', config: { topic: 'yard' }, devices: [] }, 'ntfy, topic yard'],
  [{ type: 'telegram', config: { chat_id: '-1001' }, devices: [] }, 'Telegram, chat -1001'],
  [{ type: 'webpush', config: {}, devices: [] }, 'No browser yet'],
  [{ type: 'webpush', config: {}, devices: [phone] }, 'Firefox on Android'],
] as const)('%j', (contact, words) => expect(whoWords({ ...contact, devices: [...contact.devices] })).toBe(words))

test('quiet hours and the cap are said in one line', () => {
  expect(restWords({ quiet_hours: null, max_per_minute: 6 })).toBe('at most 6 a minute')
  const quiet_hours = { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' }
  expect(restWords({ quiet_hours, max_per_minute: 1 })).toBe(
    'quiet from 22:00 to 07:00 (Europe/Berlin), at most 1 a minute',
  )
})
