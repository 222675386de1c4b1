import { type ModelRecord } from '@aerie/client'
import { wordsOf } from './model-words.ts'

export interface ModelChoiceProps {
  readonly models: readonly ModelRecord[]
  /** Undefined for the service's default. */
  readonly chosen: ModelRecord | undefined
  readonly onChoose: (model: ModelRecord) => void
}

/** Every model with what it is for, how far it can be trusted, and whose work it is. */
export function ModelChoice({ models, chosen, onChoose }: ModelChoiceProps) {
  const isChosen = ({ name, is_default }: ModelRecord) => (chosen ? chosen.name === name : is_default)
  return (
    <fieldset class="models">
      <legend>Model</legend>
      {models.map((model) => {
        const { title, lines } = wordsOf(model)
        return (
          <label key={model.name}>
            <input type="radio" checked={isChosen(model)} onChange={() => onChoose(model)} />
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

/** What `/start` is asked. Models of small things choose their tiles by themselves. */
export function choiceOf({ name }: ModelRecord): { model: string; tiles?: 'auto' } {
  return { model: name, ...(['airborne', 'overhead'].includes(name) && { tiles: 'auto' as const }) }
}
