import { type ModelRecord } from '@aerie/client'
import { wordsOf } from './model-words.ts'

export interface ModelChoiceProps {
  /** Of the source that it is for. */
  readonly group: string
  readonly models: readonly ModelRecord[]
  /** Undefined for the service's default. */
  readonly chosen: ModelRecord | undefined
  readonly onChoose: (model: ModelRecord) => void
}

/** Every model with what it is for, how far it can be trusted, and whose work it is. */
export function ModelChoice({ group, models, chosen, onChoose }: ModelChoiceProps) {
  const isChosen = ({ name, is_default }: ModelRecord) => (chosen ? chosen.name === name : is_default)
  return (
    <fieldset class="models">
      <legend>Model</legend>
      {models.map((model, index) => {
        const { title, lines } = wordsOf(model)
        const id = `model-${group}-${index}`
        return (
          <label key={model.name}>
            <input
              type="radio"
              name={`model ${group}`}
              aria-labelledby={`${id}-title`}
              aria-describedby={`${id}-words`}
              checked={isChosen(model)}
              onChange={() => onChoose(model)}
            />
            <span>
              <strong id={`${id}-title`}>{title}</strong>
              <span id={`${id}-words`}>
                {lines.map((line) => (
                  <span class="hint" key={line}>
                    {withCode(line)}
                  </span>
                ))}
              </span>
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

/** What stands between backticks is code, as in the API's own documentation. */
const withCode = (line: string) =>
  line.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))

/** What `/start` is asked: models of small things say which tiles suit them. */
export function choiceOf(model: ModelRecord & { suggested_tiles?: string | null }): { model: string; tiles?: string } {
  return { model: model.name, ...(model.suggested_tiles && { tiles: model.suggested_tiles }) }
}
