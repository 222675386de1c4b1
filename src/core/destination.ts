/** Where a message to others goes, with all that is needed to bring it there. */
export type Destination = MqttDestination | WebhookDestination

export interface MqttDestination {
  readonly kind: 'mqtt'
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly topic: string
  readonly username?: string
  readonly password?: string
  readonly qos: 0 | 1 | 2
  readonly retain: boolean
}

export interface WebhookDestination {
  readonly kind: 'webhook'
  readonly url: string
  /** Of Standard Webhooks: `whsec_…`; without it nothing is signed. */
  readonly secret?: string
  /** Where a bearer token is fetched first. */
  readonly authUrl?: string
}
