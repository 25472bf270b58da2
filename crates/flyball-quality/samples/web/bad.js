const unused = 1;
function stop() {
    debugger;
  if (unused == 2) { return unused }
}
export { stop }
