include "kubernetes-pods";
include "kubernetes-namespace";
include "kubernetes-database";
include "kubernetes-load";
include "kubernetes-state";

# input: what objects are rendered from, and events
# output: of those that have pods what is asked of nodes, what the sampler is told, with what forbids them; who hears
# whom; whose the passwords are; and where the target finds Cube
.events as $events | .of
| {objects: [(target, cube, generators, dataset) | selected({generator: {pool: "load", zone: "a"}}; {target: "node2"})
     | {kind, name: .metadata.name}
       + if .kind == "PodDisruptionBudget" then {spec} elif .spec.template then .spec.template.spec
           | {nodeSelector, tolerations, stays: .affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution,
              security: .securityContext.runAsNonRoot,
              resources: (.containers | map({(.name): .resources.limits}) | add), sampler: .containers[1].command[-2:]}
         else {} end],
   fence: (fence | .spec), service: (target | select(.kind == "Service").spec),
   credentials: (credentials | .metadata.annotations),
   cube_url: [target | .spec.template | values | .spec.containers[0].env[] | select(.name == "CUBE_URL").value],
   refused: ["generator", "postgres", "disk", "cube"] | map(. as $role | $events | refused($role; "0 of 1 pods are there"))}
