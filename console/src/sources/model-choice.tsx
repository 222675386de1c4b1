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
      {models.map((model) => {
        const { title, lines } = wordsOf(model)
        return (
          <label key={model.name}>
            <input type="radio" name={`model ${group}`} checked={isChosen(model)} onChange={() => onChoose(model)} />
            <span>
              <strong>{title}</strong>
              {lines.map((line) => (
                <span class="hint" key={line}>
                  {line}
                </span>
              ))}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

/** What `/start` is asked: models of small things say which tiles suit them. */
export function choiceOf(model: ModelRecord & { suggested_tiles?: string | null }): { model: string; tiles?: string } {
  return { model: model.name, ...(model.suggested_tiles && { tiles: model.suggested_tiles }) }
}
