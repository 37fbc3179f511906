# The network of a node's pods; $subnet is theirs.
{
  cniVersion: "0.4.0", name: "pods",
  plugins: [
    {type: "bridge", bridge: "pods", isDefaultGateway: true, hairpinMode: true,
      ipam: {type: "host-local", dataDir: "/run/node/addresses", ranges: [[{$subnet}]]}}
  ]
}
