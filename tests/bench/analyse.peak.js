// Preloaded by tests/bench/analyse.sh: prints the seconds and the peak resident memory of the process as it ends.
process.on('exit', () => {
  const peak_rss_mb = Math.round((process.resourceUsage().maxRSS * 1024) / 1e6);
  process.stdout.write(`${JSON.stringify({ seconds: Number(process.uptime().toFixed(2)), peak_rss_mb })}\n`);
});
