//! The same harm by other routes: other spellings, other machines, pipes, variables. Each group ends with its harmless
//! neighbours.

use super::Row;

/// By the standard preset.
pub(super) const STANDARD: &[Row] = &[
    // On another machine, in whatever way its words are given.
    ("ssh web1 -- rm -rf /srv/x", "remote-harm"),
    ("ssh -- web1 rm -rf /srv/x", "remote-harm"),
    ("ssh web1 -p 2222 rm -rf /srv/x", "remote-harm"),
    ("ssh web1 rm -r uploads", "remote-harm"),
    ("ssh web1 'rm -rf app/releases'", "remote-harm"),
    ("ssh web1 'cd app && rm -rf data'", "remote-harm"),
    ("ssh a ssh b 'rm -rf /srv/x'", "remote-harm"),
    ("ssh a 'ssh -t b \"sudo rm -rf /srv/x\"'", "remote-harm"),
    ("ssh a docker exec db rm -rf /var/lib/postgresql", "remote-harm"),
    ("mosh web1 rm -rf /srv/x", "remote-harm"),
    ("gcloud compute ssh web1 -- rm -rf /srv/x", "remote-harm"),
    ("vagrant ssh -c 'rm -rf /srv/x'", "remote-harm"),
    ("adb shell rm -rf /sdcard/DCIM", "remote-harm"),
    ("kubectl exec web-1 rm -rf /data", "remote-harm"),
    ("kubectl exec -n prod -it web-1 -c app rm -rf /data", "remote-harm"),
    ("kubectl exec web-1 -c app -- sh -c 'rm -rf /data'", "remote-harm"),
    ("kubectl --context prod -n app exec deploy/web -- rm -rf /data", "remote-harm"),
    ("oc rsh web-1 rm -rf /data", "remote-harm"),
    ("lxc exec box -- rm -rf /data", "remote-harm"),
    ("docker exec web rm -rf /data", "remote-harm"),
    ("docker exec -it -u root web sh -c 'rm -rf /data'", "remote-harm"),
    ("docker container exec web rm -rf /data", "remote-harm"),
    ("docker compose -f prod.yml exec db rm -rf /var/lib/postgresql", "remote-harm"),
    ("docker-compose exec -T db rm -rf /var/lib/postgresql", "remote-harm"),
    ("podman exec web rm -rf /data", "remote-harm"),
    // What a shell there reads.
    ("echo 'rm -rf /srv/x' | ssh web1", "remote-harm"),
    ("echo 'rm -rf /srv/x' | ssh web1 sudo bash -s", "remote-harm"),
    ("ssh web1 bash -s <<'EOF'\nrm -rf /srv/x\nEOF", "remote-harm"),
    ("echo 'rm -rf /data' | kubectl exec -i web-1 -- sh", "remote-harm"),
    ("docker exec -i web sh <<< 'rm -rf /data'", "remote-harm"),
    // Looking, what a build makes, and text that is only kept there.
    ("ssh web1 -- ls /srv", ""),
    ("ssh web1 'rm -rf build'", ""),
    ("ssh web1 'cd app && rm -rf node_modules && npm ci'", ""),
    ("ssh web1 'cd \"$(mktemp -d)\" && rm -rf unpacked'", ""),
    ("ssh web1 rm old.log", ""),
    ("ssh a ssh b uptime", ""),
    ("ssh web1 'cat > notes.md' <<'EOF'\nrm -rf /srv/x\nEOF", ""),
    ("echo 'rm -rf /srv/x' | ssh web1 'tee notes.md'", ""),
    ("kubectl exec web-1 -- ls /data", ""),
    ("kubectl exec -it web-1 -c app bash", ""),
    ("kubectl exec web-1 -- rm -rf /tmp/x", ""),
    ("kubectl get pods -o name", ""),
    ("docker exec -it web bash", ""),
    ("docker exec web rm -rf /tmp/x /app/node_modules", ""),
    ("docker exec web sh -c 'supervisorctl stop worker'", ""),
    ("docker exec db psql -U app -c 'SELECT 1'", ""),
    ("docker compose exec web npm test", ""),
    ("docker run --rm alpine rm -rf /data", ""),
    ("docker ps -a --filter name=exec", ""),
    ("podman exec web cat /etc/os-release", ""),
];

/// By the strict preset.
pub(super) const STRICT: &[Row] = &[];
