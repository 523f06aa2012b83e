package io.rpcboot.benchmarks.sick;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.rpcboot.benchmarks.sick.SickOptions.Whose;
import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * Instances, those that have ended too, and how consumers find them: by fixed addresses,
 * or by ZooKeeper.
 */
final class Fleet implements AutoCloseable {

	private final SickOptions options;

	private final Path directory;

	private final @Nullable EmbeddedZooKeeper zooKeeper;

	private final List<Instance> instances = new ArrayList<>();

	private final List<LossyProxy> ways = new ArrayList<>();

	private Fleet(SickOptions options, @Nullable EmbeddedZooKeeper zooKeeper) {
		this.options = options;
		this.directory = options.output().toAbsolutePath();
		this.zooKeeper = zooKeeper;
	}

	/** Some instances with fixed addresses. */
	static Fleet fixed(SickOptions options, int count, String... properties) throws IOException, InterruptedException {
		return new Fleet(options, null).start(count, properties);
	}

	/** Some instances that register. */
	static Fleet registered(SickOptions options, int count, String... properties)
			throws IOException, InterruptedException {
		return new Fleet(options, new EmbeddedZooKeeper()).start(count, properties);
	}

	private Fleet start(int count, String... properties) throws IOException, InterruptedException {
		try {
			for (int i = 0; i < count; i++) {
				add(properties);
			}
			for (Instance instance : this.instances) {
				this.ways.add(new LossyProxy(instance.port()));
			}
			return this;
		}
		catch (IOException | InterruptedException | RuntimeException ex) {
			close();
			throw ex;
		}
	}

	/** Start one more; it serves when it knows its port. */
	Instance add(String... properties) throws IOException {
		List<String> all = this.options.with(Whose.SERVER, properties);
		all.addAll(0, registry());
		Instance instance = new Instance(this.directory, SickOptions.last(all));
		this.instances.add(instance);
		return instance;
	}

	private List<String> registry() {
		return (this.zooKeeper == null) ? List.of("--rpc.registry.type=none") : List.of("--rpc.registry.type=zookeeper",
				"--rpc.registry.zookeeper.connect-string=" + this.zooKeeper.connectString());
	}

	/**
	 * Start a process of callers.
	 * @param clients number of its applications
	 * @param byWays whether fixed addresses are those of the ways, not of the instances
	 * @param properties further ones
	 */
	Consumer consumer(int clients, boolean byWays, List<String> properties) throws IOException, InterruptedException {
		List<String> all = new ArrayList<>(registry());
		if (this.zooKeeper == null) {
			List<Integer> ports = new ArrayList<>();
			for (int i = 0; i < this.instances.size(); i++) {
				ports.add(byWays ? this.ways.get(i).port() : this.instances.get(i).port());
			}
			all.add(ports.stream()
				.map((port) -> "127.0.0.1:" + port)
				.collect(Collectors.joining(",", "--rpc.client.references.work.addresses=", "")));
		}
		all.addAll(properties);
		return new Consumer(clients, this.directory, SickOptions.last(all));
	}

	Instance instance(int index) {
		return this.instances.get(index);
	}

	LossyProxy way(int index) {
		return this.ways.get(index);
	}

	void become(String illness) throws IOException {
		for (Instance instance : this.instances) {
			instance.become(illness);
		}
	}

	/** How many calls arrived in a time, at all. */
	long arrivals(long from, long to) {
		return this.instances.stream().mapToLong((each) -> each.arrivals().count(from, to)).sum();
	}

	/** How many times any of these calls arrived anywhere. */
	long arrivals(List<Call> calls) {
		Set<Long> numbers = calls.stream().map(Call::number).collect(Collectors.toCollection(HashSet::new));
		return this.instances.stream()
			.flatMap((each) -> each.arrivals().numbers().stream())
			.filter(numbers::contains)
			.count();
	}

	/** The writes that began, by all instances. */
	List<Long> ledger() throws IOException {
		List<Long> all = new ArrayList<>();
		for (Instance instance : this.instances) {
			all.addAll(instance.ledger());
		}
		return all;
	}

	@Override
	public void close() throws IOException {
		for (LossyProxy way : this.ways) {
			way.close();
		}
		this.instances.parallelStream().forEach(Instance::close);
		for (Instance instance : this.instances) {
			instance.forget();
		}
		if (this.zooKeeper != null) {
			this.zooKeeper.close();
		}
	}

}
