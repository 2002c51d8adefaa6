#!/bin/bash
# user_session.sh HOME COMMAND: runs COMMAND inside a `systemd --user` of its own, in private mount and pid namespaces.
# Needs root and systemd's programs, not a machine that was booted by systemd. Leaves nothing behind.
set -e
export SESSION_HOME=$1 SESSION_COMMAND=$2
exec unshare --mount --pid --fork --mount-proc --kill-child --propagation private bash -c '
set -e
# /run has to be a mount point of its own, or protections that hide it would hide the notify socket as well
mount --bind /run /run
mount -t tmpfs -o mode=755 tmpfs /run/systemd
mkdir -p /run/systemd/{system,unit-root,propagate,inaccessible}
mkdir -p /run/user && mount -t tmpfs -o mode=755 tmpfs /run/user
runtime=/run/user/$(id -u); mkdir -m 700 $runtime
group=/memoryd-session-$$-$RANDOM
for tree in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
  [ -e $tree/cgroup.procs ] || continue
  mkdir -p $tree$group && echo $$ > $tree$group/cgroup.procs || true
done
export XDG_RUNTIME_DIR=$runtime HOME=$SESSION_HOME
unset NOTIFY_SOCKET LISTEN_FDS LISTEN_PID
cd "$HOME"
/lib/systemd/systemd --user --log-level=notice --log-target=console >"$HOME/systemd.log" 2>&1 </dev/null &
for i in $(seq 100); do [ -S $runtime/systemd/private ] && break; sleep .05; done
for i in $(seq 100); do systemctl --user is-system-running 2>/dev/null | grep -qE "running|degraded" && break; sleep .1; done
code=0; bash -c "$SESSION_COMMAND" || code=$?
systemctl --user exit 2>/dev/null || true
for tree in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
  [ -d $tree$group ] || continue
  echo $$ > $tree/cgroup.procs || true
  sleep .1
  find $tree$group -depth -type d -exec rmdir {} \; 2>/dev/null || true
done
exit $code
'
