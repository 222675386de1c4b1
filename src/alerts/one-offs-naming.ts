import { type AlertsElsewhere } from './alerts-elsewhere.ts'
import { type OneOffs } from './one-offs.ts'

export interface OneOffsNamingDeps {
  readonly oneOffs: Pick<OneOffs, 'listOf'>
  readonly elsewhere: Pick<AlertsElsewhere, 'listActive'>
}

/**
 * The aliases of one-off alerts that notify a contact. They stand in no table: those of other nodes are known as far as these answer, and
 * while they are active.
 */
export async function oneOffsNaming(
  accountId: string,
  contactId: string,
  { oneOffs, elsewhere }: OneOffsNamingDeps,
): Promise<string[]> {
  const here = oneOffs.listOf(accountId).map(({ alias, setup }) => ({ alias, output: setup.output }))
  const there = (await elsewhere.listActive(accountId)).filter((row) => row.one_off)
  return [...here, ...there].filter(({ output }) => output.some(names(contactId))).map(({ alias }) => alias)
}

interface NamedOutput {
  readonly type: string
  readonly config: object
}

const names = (contactId: string) => (output: NamedOutput) =>
  output.type === 'contact' && 'contact_uuid' in output.config && output.config.contact_uuid === contactId
