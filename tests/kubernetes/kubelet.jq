# A node's kubelet; $group: the cgroup below which its pods are. The disk is the machine's, and never a reason to evict.
# The bridge is private: who asks is not asked back.
{
  apiVersion: "kubelet.config.k8s.io/v1beta1", kind: "KubeletConfiguration",
  authentication: {anonymous: {enabled: true}, webhook: {enabled: false}},
  authorization: {mode: "AlwaysAllow"},
  cgroupDriver: "cgroupfs", cgroupRoot: $group, failCgroupV1: false, failSwapOn: false,
  containerRuntimeEndpoint: "unix:///run/containerd/containerd.sock",
  resolvConf: "", podLogsDir: "/run/node/log/pods", volumePluginDir: "/run/node/kubelet/plugins",
  evictionHard: {
    "memory.available": "100Mi", "nodefs.available": "0%", "nodefs.inodesFree": "0%",
    "imagefs.available": "0%", "imagefs.inodesFree": "0%"},
  imageGCHighThresholdPercent: 100, imageGCLowThresholdPercent: 99,
  nodeStatusUpdateFrequency: "2s"
}
