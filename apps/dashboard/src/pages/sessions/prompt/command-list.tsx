import { counted } from '@svc/facts'
import { inputHint } from './command-completion.ts'
import type { useCommands } from './use-commands.ts'

/** The commands that go on with what is typed. The focus stays in the field; the arrows or the pointer choose. */
export function CommandList({
  id,
  found,
  active,
  optionId,
  pick,
  open,
}: ReturnType<typeof useCommands>['list']) {
  return (
    <>
      <p role="status" className="sr-only">
        {open && counted(found.length, 'command')}
      </p>
      {open && (
        <ul
          id={id}
          role="listbox"
          aria-label="Commands of the agent"
          className="menu absolute inset-x-0 bottom-full z-5 mb-1 max-h-60 overflow-y-auto"
        >
          {found.map((command, index) => (
            <li
              key={command.name}
              id={optionId(index)}
              role="option"
              aria-selected={index === active}
              className="menu-item cursor-pointer"
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(command)}
            >
              <code className="shrink-0">/{command.name}</code>
              {inputHint(command) !== null && (
                <span className="faint max-w-40 shrink-0 truncate">{inputHint(command)}</span>
              )}
              <span className="hint min-w-0 truncate">{command.description}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
