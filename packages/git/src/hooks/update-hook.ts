/**
 * The push policy, asked by git once for each ref of a push. It runs inside the push's quarantine, so it sees the new
 * objects before any other process does. Its rules come by environment (see serve/push-rules.ts).
 */
export const updateHook = `#!/bin/sh
ref=$1
old=$2
new=$3

refuse() {
  for line in "$@"; do echo "$line" >&2; done
  exit 1
}
is_zero() {
  case $1 in *[!0]*) return 1 ;; *) return 0 ;; esac
}
# What the caller does instead: a session has its branch, a person names one.
if [ -n "$SVC_PUSH_ONLY_BRANCH" ]; then
  push_instead="git push origin HEAD:$SVC_PUSH_ONLY_BRANCH"
  then_open='svc cr open --title "<what it does>"'
else
  push_instead='git push origin HEAD:<branch>'
  then_open='svc cr open --title "<what it does>" --head <branch>'
fi
by_change_request() {
  refuse "$1" 'Push to another branch, and open a change request:' "  $push_instead" "  $then_open"
}

[ "$SVC_PUSH_READ_ONLY" = 0 ] ||
  refuse 'This credential may read the repository but not push to it. Push with one that may.'
[ -n "$SVC_PUSH_DEFAULT_BRANCH" ] ||
  refuse 'The push policy is not set: this is a defect of the platform, report it.'

if [ -n "$SVC_PUSH_CHECKPOINTS_OF" ]; then
  folder=refs/svc/checkpoints/$SVC_PUSH_CHECKPOINTS_OF
  number=\${ref#"$folder"/}
  [ "$number" != "$ref" ] || refuse "This sandbox writes only its checkpoints, $folder/<n>."
  case $number in
    '' | *[!0-9]*) refuse "A checkpoint has a number: $folder/<n>." ;;
  esac
  is_zero "$old" || refuse "The checkpoint $number is there already; take the next number."
  exit 0
fi

case $ref in
  refs/heads/*) branch=\${ref#refs/heads/} ;;
  refs/tags/*) branch= ;;
  *) refuse "$ref is neither a branch nor a tag; push to refs/heads/ or refs/tags/." ;;
esac

if [ -n "$branch" ] && [ "$branch" = "$SVC_PUSH_DEFAULT_BRANCH" ]; then
  is_zero "$new" && refuse "The default branch $branch cannot be deleted: sessions and change requests build on it."
  [ "$SVC_PUSH_DEFAULT_ALLOWED" = 1 ] ||
    by_change_request "The default branch $branch moves only by change requests."
  if [ -n "$SVC_PUSH_ONLY_BRANCH" ] && [ "$branch" != "$SVC_PUSH_ONLY_BRANCH" ]; then
    by_change_request "This session writes only its own branch, $SVC_PUSH_ONLY_BRANCH."
  fi
  is_zero "$old" && exit 0
  git merge-base --is-ancestor "$old" "$new" ||
    refuse "The default branch $branch cannot be rewritten. Build on its tip, and push without force:" \\
      "  git pull --rebase origin $branch"
  exit 0
fi

if [ -n "$SVC_PUSH_ONLY_BRANCH" ]; then
  [ -n "$branch" ] ||
    refuse "This session cannot push tags, only its own branch: git push origin HEAD:$SVC_PUSH_ONLY_BRANCH"
  [ "$branch" = "$SVC_PUSH_ONLY_BRANCH" ] ||
    refuse "This session writes only its own branch: git push origin HEAD:$SVC_PUSH_ONLY_BRANCH"
fi

case " $SVC_PUSH_FOREIGN_BRANCHES " in
  *" \${branch:-/} "*)
    refuse "The branch $branch is the work of a session that you may not speak to." \
      'Push to a branch of your own name, or ask its owner or an editor of the project.'
    ;;
esac

if is_zero "$new" && [ "$SVC_PUSH_DELETE_ALLOWED" != 1 ]; then
  refuse 'This credential may not delete branches or tags: ask a manager of the project.'
fi
exit 0
`
