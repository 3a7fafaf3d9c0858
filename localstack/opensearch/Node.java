import org.codelibs.opensearch.runner.OpenSearchRunner;

/** Runs one node with the k-NN plugin: Node DIRECTORY PORT. */
public class Node {
  public static void main(String[] args) throws Exception {
    OpenSearchRunner runner = new OpenSearchRunner();
    // A node refuses writes on a disk that is nine tenths full, however much is left of it.
    runner.onBuild((number, settings) -> settings.putList("cluster.initial_cluster_manager_nodes", "Node 1")
        .put("cluster.routing.allocation.disk.threshold_enabled", false));
    runner.setMaxHttpPort(65535);
    runner.build(OpenSearchRunner.newConfigs().basePath(args[0]).clusterName("lectern").numOfNode(1)
        .baseHttpPort(Integer.parseInt(args[1]) - 1).useLogger().pluginTypes("org.opensearch.knn.plugin.KNNPlugin"));
    runner.ensureYellow();
    System.out.println("READY");
    Thread.currentThread().join();
  }
}
