/** Where the alerts of examples go. */
export const exampleOutput = {
  type: 'mqtt' as const,
  config: { host: 'broker.example.org:1883', topic: 'site/alerts' },
}
