include "kubernetes-objects";
include "kubernetes-state";

# input: what objects are rendered from, and events
# output: of target and generators what is asked of nodes, with what forbids them
.events as $events | .of
| {objects: [(target, generators) | selected({generator: {pool: "load", zone: "a"}})
     | {kind, name: .metadata.name}
       + if .kind == "PodDisruptionBudget" then {spec} elif .spec.template then .spec.template.spec
           | {nodeSelector, security: .securityContext.runAsNonRoot,
              resources: (.containers | map({(.name): .resources.limits}) | add)} else {} end],
   refused: ["generator", "postgres", "disk", "cube"] | map(. as $role | $events | refused($role))}
