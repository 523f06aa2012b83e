package io.rpcboot.benchmarks;

import java.time.Duration;
import java.util.List;

/**
 * What to measure.
 *
 * @param preset what it began with
 * @param parts the comparisons, in this order
 * @param overload the run with a client that fires without limit
 * @param toy the run of a fixed number of calls
 * @param goodput the servers that get more calls than they can do
 * @param streams streams beside those of others
 * @param json servers of JSON beside those of others
 * @param gate the bounds of the speed gate
 * @param h2load whether h2load calls the servers of gRPC
 * @param tlsCosts whether handshakes, memory and records of TLS are measured
 * @param environment where the processes run
 */
record Options(Preset preset, List<Part> parts, OverloadOptions overload, ToyOptions toy, GoodputOptions goodput,
		StreamsOptions streams, JsonOptions json, GateBounds gate, boolean h2load, boolean tlsCosts,
		Environment environment) {

	static final String USAGE = """
			--preset=full            everything of the table of targets, under an hour (the default)
			--preset=short           raw Netty, grpc-java and ours in six cells, under six minutes
			--preset=quick           a first look, under two minutes
			--preset=toy             the four user calls as Toy-RPC's article measures them
			--preset=gate            this build beside that of --baseline, under a quarter of an hour
			--preset=gate-short      the same in six cells, under six minutes
			--preset=gate-h2-short   the same over gRPC in six cells, under eight minutes
			--preset=payload         the echo of 16 bytes to 4 MB beside raw Netty, grpc-java and, with --baseline,
			                         the older build; under ten minutes; takes --systems, --threads and
			--sizes=65536,1048576    only bodies of these sizes in bytes
			--preset=h2              gRPC over HTTP/2, each client with each server of ours and of grpc-java, beside the
			                         native protocol; half an hour
			--preset=tls             TLS of the JDK and of BoringSSL, ours and grpc-java, beside clear text; ten minutes
			--preset=goodput         servers that get more calls than they can do: what is answered in time; half an
			                         hour; takes --systems, --baseline, which adds the older build, and
			--seconds=15             how long each load without limit lasts
			--capacities=200,10000,no-op  servers by calls per second; empty for none
			--timeouts=300,3000      milliseconds allowed for a call
			--clients=1,10           client objects; more than one are in two processes
			--open=2,5,10            calls begin at these multiples of the capacity; empty for none
			--preset=streams         streams beside grpc-java and RSocket, and a file of 1 GB beside a socket; nine
			                         minutes; takes --systems, --sizes, --forks, --rounds, --slice,
			                         --preparation, here of each cell, and
			--directions=down,up,both,bytes  who sends: the server, the client, both; bytes is the file
			--streams=1,100          streams that are open at the same time
			--preset=json            getUser and listUser by JSON over HTTP/1.1 and HTTP/2 under h2load beside Spring
			                         MVC and Netty; eight minutes; takes --systems, --forks, --rounds, --slice and
			                         --preparation, here of each cell

			These change the main comparison of the preset and leave out its other parts:
			--systems=ours,netty,grpc  the first is compared with each of the others
			--calls=echo,existUser,createUser,getUser,listUser
			--threads=1,32,128       blocking threads; empty for none
			--virtual=128            blocking virtual threads; empty for none
			--callers=1,4,32         threads that do not wait, 1,024 calls in flight over all; empty for none
			--latencies              every scenario again at half of the rate of the slowest system

			--rounds=9               turns of each system in each scenario
			--slice=700              milliseconds of a turn
			--warmup=1500            milliseconds before the first round of a scenario
			--preparation=30000      milliseconds that each system works before the first scenario
			--parts=main,batching    only these parts of the preset: main, batching, batching-loop, virtual,
			                         burst, overload; of h2: h2-loop, h2, h2-queue, h2-bodies, h2-native, h2load;
			                         of tls: tls, tls-costs
			--overload-seconds=60    how long the client without limit fires
			--overload-system=       whose client and server (default: ours-block)
			--forks=5                how often a part is run, each time with new processes

			--baseline=<folder>      jars of an older build: the systems before, before-loop, before-h2 and before-h2-loop
			With --preset=gate, gate-short and gate-h2-short, ratios of calls per second to the older build:
			--gate-mean=0.97         the least geometric mean over the cells
			--gate-cell=0.93         a cell misses if all of its forks are below

			With --preset=toy, beside --systems and --rounds:
			--toy-threads=32         callers
			--requests=96000         calls of all callers in a round
			--warmup-rounds=3        rounds before those that count

			--java=<launcher>        Java of the measured processes (default: the one that runs this)
			--virtual-java=<launcher>  Java 21 or later for virtual threads (default: a JDK 25 where there is one)
			--jvm-args=<arguments>   added to those of every measured process
			--output=<directory>     where the results go (default: target/benchmarks)""";

	/** How long all parts take at most, without starting the processes. */
	Duration estimate() {
		return this.parts.stream()
			.map(Part::estimate)
			.reduce(Duration.ofSeconds(this.overload.seconds()), Duration::plus);
	}

	static Options parse(String... args) {
		OptionsParser parser = new OptionsParser();
		for (String arg : args) {
			String[] parts = arg.split("=", 2);
			parser.accept(parts[0], (parts.length == 2) ? parts[1] : "");
		}
		return parser.options();
	}

}
