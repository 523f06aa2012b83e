package io.rpcboot.spring.autoconfigure.serialization;

import java.util.Map;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static io.rpcboot.spring.autoconfigure.fixture.Applications.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The choice of serializers by properties, with real calls. */
@Timeout(60)
@Tag("jdk25")
public class RpcSerializationIntegrationTests {

	private static final Shape SQUARE = new Square(3);

	@ParameterizedTest
	@ValueSource(strings = { "protostuff", "json" })
	@PropertyEffect({ "rpc.client.serializer", "rpc.server.serializers" })
	void serializer_isSetForWholeApplication(String name) {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE,
				Map.of("rpc.client.serializer", name, "rpc.server.serializers", name), Shapes.class, User.class)) {
			assertThat(context.getBean(User.class).shapes.largest(SQUARE, new Circle(1))).isEqualTo(SQUARE);
			assertThat(serializers(context)).containsExactly(name);
		}
	}

	@Test
	@PropertyEffect("rpc.server.services.<name>.serializers")
	void serializer_isSetForOneReferenceAndService() {
		try (ConfigurableApplicationContext context = run(
				WebApplicationType.NONE, Map.of("rpc.client.references.debug.serializer", "json",
						"rpc.server.services.ShapeService.serializers", "protostuff,json"),
				Shapes.class, User.class, Debugger.class)) {
			assertThat(context.getBean(Debugger.class).shapes.largest(SQUARE, SQUARE)).isEqualTo(SQUARE);
			assertThat(context.getBean(User.class).shapes.largest(SQUARE, SQUARE)).isEqualTo(SQUARE);
			assertThat(serializers(context)).containsExactly("protostuff", "json");
		}
	}

	@Test
	@PropertyEffect("rpc.client.references.users.serializer")
	void call_fails_whenServiceLacksSerializer() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE,
				Map.of("rpc.client.references.debug.serializer", "json"), Shapes.class, User.class, Debugger.class)) {
			assertThatExceptionOfType(RpcException.class)
				.isThrownBy(() -> context.getBean(Debugger.class).shapes.largest(SQUARE, SQUARE))
				.withMessageContaining("json")
				.withMessageContaining("protostuff")
				.satisfies((ex) -> assertThat(ex.status()).isIn(RpcStatus.FAILED_PRECONDITION, RpcStatus.UNAVAILABLE));
		}
	}

	@Test
	@PropertyEffect("rpc.serialization.subtypes")
	void subtypes_areSetByProperty() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE,
				Map.of("rpc.serialization.subtypes[" + Animal.class.getName() + "]",
						Dog.class.getName() + "," + Cat.class.getName()),
				Zoo.class, Visitor.class)) {
			assertThat(context.getBean(Visitor.class).zoo.same(new Dog("Rex"))).isEqualTo(new Dog("Rex"));
		}
	}

	private static Iterable<String> serializers(ConfigurableApplicationContext context) {
		ServiceInfo service = context.getBean(RpcServer.class).services().get(0);
		return service.serializers();
	}

	/** A sealed type: its subtypes need no declaration. */
	public sealed interface Shape permits Square, Circle {

		double area();

	}

	public record Square(double side) implements Shape {

		@Override
		public double area() {
			return this.side * this.side;
		}

	}

	public record Circle(double radius) implements Shape {

		@Override
		public double area() {
			return Math.PI * this.radius * this.radius;
		}

	}

	/** A type that says nothing of its subtypes. */
	public interface Animal {

	}

	public record Dog(String name) implements Animal {

	}

	public record Cat(String name) implements Animal {

	}

	public interface ShapeService {

		Shape largest(Shape first, Shape second);

	}

	public interface ZooService {

		Animal same(Animal animal);

	}

	@RpcService
	static class Shapes implements ShapeService {

		@Override
		public Shape largest(Shape first, Shape second) {
			return (first.area() > second.area()) ? first : second;
		}

	}

	@RpcService
	static class Zoo implements ZooService {

		@Override
		public Animal same(Animal animal) {
			return animal;
		}

	}

	static class User {

		@RpcReference
		private ShapeService shapes;

	}

	static class Debugger {

		@RpcReference(name = "debug")
		private ShapeService shapes;

	}

	static class Visitor {

		@RpcReference
		private ZooService zoo;

	}

}
