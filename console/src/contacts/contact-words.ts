import { type ContactRecord } from '@aerie/client'

/** Whom it reaches, in a few words. */
export function whoWords({ type, config, devices }: Pick<ContactRecord, 'type' | 'config' | 'devices'>): string {
  switch (type) {
    case 'email':
      return `E-mail to ${(config['to'] as readonly string[]).join(', ')}`
    case 'ntfy':
      return `ntfy, topic ${String(config['topic'])}`
    case 'telegram':
      return `Telegram, chat ${String(config['chat_id'])}`
    case 'webpush':
      return devices.length === 0 ? 'No browser yet' : devices.map(({ name }) => name).join(', ')
  }
}

/** When it is left alone, and how often it is not. */
export function restWords({
  quiet_hours: quiet,
  max_per_minute: max,
}: Pick<ContactRecord, 'quiet_hours' | 'max_per_minute'>): string {
  const often = `at most ${max} a minute`
  return quiet ? `quiet from ${quiet.from} to ${quiet.to} (${quiet.time_zone}), ${often}` : often
}
