package io.rpcboot.serialization.proto;

import java.util.HexFormat;
import java.util.List;

import io.rpcboot.RpcAlias;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.types.GraphCodec;
import io.rpcboot.internal.serialization.types.walk.ServiceGraph;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.contract.Contract;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The graph of types is enough for a format that is not ours, peers included. */
public class ProtoFormatTests {

	private static final Route ROUTE = new Route("way", List.of(new Point(150, -1), new Point(0, 2)), new Point(1, 1),
			true, 0.5, List.of(3, 270), null);

	private final ServiceCodec codec = codec(Routes.class);

	private static ServiceCodec codec(Class<?> service) {
		return new GraphCodec(ServiceGraph.of(ServiceDescriptor.of(service), "proto/1", TypeOptions.NONE),
				ProtoFormat::new);
	}

	private byte[] routeBytes() {
		OutputBuffer out = new OutputBuffer(new byte[16], 1000);
		this.codec.method(0).serializeResult(ROUTE, out);
		return out.toByteArray();
	}

	@Test
	void bytes_matchProtobufEncoding() {
		assertThat(HexFormat.of().formatHex(routeBytes())).isEqualTo("0a31" // route: 49
																			// bytes
				+ "0a03776179" // 1: "way"
				+ "120e089601" + "10ffffffffffffffffff01" // 2: { 1: 150, 2: -1 }
				+ "120408001002" // 2: { 1: 0, 2: 2 }
				+ "1a0408011001" // 3: { 1: 1, 2: 1 }
				+ "2001" // 4: true
				+ "29000000000000e03f" // 5: 0.5
				+ "3003" + "308e02"); // 6: 3, 270
	}

	@Test
	void route_roundTripsUnchanged() {
		byte[] bytes = routeBytes();
		assertThat(this.codec.method(0).deserializeResult(bytes, 0, bytes.length)).isEqualTo(ROUTE);
	}

	@Test
	void otherVersion_readsBytes() {
		Contract peer = Contract.parse(this.codec.contract().text());
		MethodCodec codec = codec(OtherRoutes.class).translate(peer).method(0, 0);
		byte[] bytes = routeBytes();
		OtherRoute route = (OtherRoute) codec.deserializeResult(bytes, 0, bytes.length);
		assertThat(route.title).isEqualTo("way");
		assertThat(route.points).containsExactly(new OtherPoint(-1, "", 150), new OtherPoint(2, "", 0));
		assertThat(route.added).isEqualTo(7);
	}

	/** Carries routes. */
	public interface Routes {

		Route get(Route route);

	}

	/** Everything that the format knows, the class itself included. */
	public record Route(String name, List<Point> points, Point origin, boolean closed, double length,
			List<Integer> marks, Route next) {
	}

	/** A nested message. */
	public record Point(int x, long y) {
	}

	/** Another version. */
	public interface OtherRoutes {

		OtherRoute get(OtherRoute route);

	}

	/** Another version: a bean, with other names, another order, more and less. */
	@RpcAlias("io.rpcboot.serialization.proto.ProtoFormatTests$Route")
	public static class OtherRoute {

		private int added = 7;

		private List<OtherPoint> points;

		@RpcAlias("name")
		private String title;

	}

	/** Another version. */
	@RpcAlias("io.rpcboot.serialization.proto.ProtoFormatTests$Point")
	public record OtherPoint(long y, String label, int x) {

		public OtherPoint {
			label = (label != null) ? label : "";
		}

	}

}
