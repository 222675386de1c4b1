/** What a NATS server that is monitored at this port has taken in and sent out so far. */
export interface NatsTraffic {
  readonly messages: number
  readonly bytes: number
}

export async function natsTraffic(monitorPort: number): Promise<NatsTraffic> {
  const response = await fetch(`http://127.0.0.1:${monitorPort}/varz`)
  const counts = (await response.json()) as Record<'in_msgs' | 'out_msgs' | 'in_bytes' | 'out_bytes', number>
  return { messages: counts.in_msgs + counts.out_msgs, bytes: counts.in_bytes + counts.out_bytes }
}
