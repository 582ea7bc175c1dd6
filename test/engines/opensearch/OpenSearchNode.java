// Starts one OpenSearch node from the class path, with HTTP on a loopback port and nothing but core modules.
// Arguments: the data folder, the HTTP port, and pairs of setting and value.

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

public final class OpenSearchNode {
  private static final class ClassPathNode extends Node {
    ClassPathNode(Environment environment) {
      super(environment, List.of(Netty4Plugin.class), false);
    }
  }

  public static void main(String[] arguments) throws Exception {
    Settings.Builder settings = Settings.builder()
        .put("path.home", arguments[0])
        .put("http.port", arguments[1])
        .put("network.host", "127.0.0.1")
        .put("transport.port", "0")
        .put("discovery.type", "single-node")
        .put("cluster.name", "orbweaver-test")
        .put("node.name", "one")
        .put("http.type", "netty4")
        .put("transport.type", "netty4")
        .put("cluster.routing.allocation.disk.threshold_enabled", "false");
    for (int i = 2; i + 1 < arguments.length; i += 2) settings.put(arguments[i], arguments[i + 1]);
    Environment environment =
        InternalSettingsPreparer.prepareEnvironment(settings.build(), Map.of(), Path.of(arguments[0], "config"), () -> "one");
    LogConfigurator.setNodeName("one");
    Node node = new ClassPathNode(environment);
    node.start();
    System.out.println("started");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      try {
        node.close();
      } catch (Exception error) {
        error.printStackTrace();
      }
    }));
    Thread.currentThread().join();
  }
}
