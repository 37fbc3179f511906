include "scale";

# input: limits of memory, as docker or Kubernetes has them
# output: of each what the server can have there, on a machine of 64 GiB; and what scale 3 GB leave
map({(.): [("docker", "kubernetes") as $stack | server_bytes($stack; 64 * 1073741824; .)]}) | add
| . + {scale: ({scale: "auto", duration_s: 600} | dataset_scale(3e9; null))}
