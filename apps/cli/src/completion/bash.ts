/**
 * Nothing but bash itself: the usual scripts want the package bash-completion, which servers lack. Words are passed
 * on as they were typed and never evaluated.
 */
export const bashCompletion = `# bash completion for svc
_svc() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    case $word in
      '' | :*) ;;
      "\${COMP_WORDS[COMP_CWORD]}"*) COMPREPLY+=("$word") ;;
    esac
  done < <(svc complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _svc svc
`
