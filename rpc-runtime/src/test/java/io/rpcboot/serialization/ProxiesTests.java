package io.rpcboot.serialization;

import java.util.List;
import java.util.Map;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.rpcboot.RpcSubtypes;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Instances of classes that no source can name, where a class with fields is declared.
 */
public class ProxiesTests {

	private static final String CUSTOMER = Customer.class.getName();

	static List<Serializer> serializers() {
		return List.of(new ProtostuffSerializer(), new JacksonSerializer());
	}

	private static Object echo(Serializer serializer, String method, Object value) {
		return SilentChangesTests.echo(SilentChangesTests.method(serializer, Service.class, method), value);
	}

	private static void assertRefused(Serializer serializer, String method, Object value, String message) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> echo(serializer, method, value))
			.withMessageContaining(method + "(): result")
			.withMessageContaining(message);
	}

	private static void assertAnn(Object arrived) {
		assertThat(arrived).isExactlyInstanceOf(Customer.class);
		assertThat(((Customer) arrived).name).isEqualTo("Ann");
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void loadedProxyOfHibernate_arrivesAsItsEntity(Serializer serializer) {
		Customer proxy = new LazyCustomer(new Customer("Ann"));
		assertAnn(echo(serializer, "customer", proxy));
		assertAnn(((List<?>) echo(serializer, "list", List.of(proxy))).get(0));
		assertAnn(((Map<?, ?>) echo(serializer, "map", Map.of("a", proxy))).get("a"));
		assertAnn(((Customer[]) echo(serializer, "array", new Customer[] { proxy }))[0]);
		assertAnn(((Order) echo(serializer, "order", new Order(1, proxy))).customer());
		assertAnn(echo(serializer, "any", proxy));
		assertAnn(echo(serializer, "party", proxy));
		assertThat(((Company) echo(serializer, "party", new LazyParty(new Company("Acme")))).name).isEqualTo("Acme");
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void proxyOfHibernate_isRefused_unlessLoaded(Serializer serializer) {
		String message = "a proxy of Hibernate that is not loaded (expected: a loaded entity); call Hibernate.initialize for it, or fetch it in the query";
		Customer proxy = new LazyCustomer(null);
		assertRefused(serializer, "customer", proxy, message);
		assertRefused(serializer, "any", proxy, message);
		assertRefused(serializer, "order", new Order(1, proxy), "result.customer: " + message);
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void proxyOfAnotherEntity_isRefused(Serializer serializer) {
		assertRefused(serializer, "customer", new LazyCustomer(new Member()),
				"LazyCustomer where %s is declared".formatted(CUSTOMER));
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void anonymousSubclass_arrivesAsItsSuperclass_withoutFields(Serializer serializer) {
		Customer anonymous = new Customer("Bob") {
			{
				this.name = "Ann";
			}
		};
		assertAnn(echo(serializer, "customer", anonymous));
		assertAnn(echo(serializer, "party", anonymous));
		assertAnn(echo(serializer, "any", anonymous));
		assertAnn(((Order) echo(serializer, "order", new Order(1, anonymous))).customer());
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void anonymousSubclass_isRefused_withFields(Serializer serializer) {
		Customer anonymous = new Customer("Ann") {

			private final int age = 7;

			@Override
			public String toString() {
				return this.name + this.age;
			}

		};
		String message = " is declared: an anonymous class with fields of its own; send a ProxiesTests$";
		assertRefused(serializer, "customer", anonymous, CUSTOMER + message + "Customer");
		assertRefused(serializer, "party", anonymous, message + "Party");
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void classMadeAtRunTime_isCarriedWithoutFields_elseRefusedWithAdvice(Serializer serializer) throws Exception {
		ByteBuddy generator = new ByteBuddy();
		Customer plain = generator.subclass(Customer.class)
			.make()
			.load(getClass().getClassLoader(), ClassLoadingStrategy.Default.WRAPPER)
			.getLoaded()
			.getConstructor(String.class)
			.newInstance("Ann");
		assertAnn(echo(serializer, "customer", plain));
		Customer proxy = generator.subclass(Customer.class)
			.defineField("handler", Object.class, Visibility.PRIVATE)
			.make()
			.load(getClass().getClassLoader(), ClassLoadingStrategy.Default.WRAPPER)
			.getLoaded()
			.getConstructor(String.class)
			.newInstance("Ann");
		assertRefused(serializer, "customer", proxy, CUSTOMER
				+ " is declared: a class that a library has made at run time; copy its data into a new ProxiesTests$Customer");
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void namedSubclass_isRefused_withItsProperty(Serializer serializer) {
		assertRefused(serializer, "customer", new Member(),
				"(expected: exactly that class, or fields would be lost; subclasses are declared by @RpcSubtypes on "
						+ CUSTOMER);
	}

	/** Service of entities. */
	public interface Service {

		Customer customer();

		List<Customer> list();

		Map<String, Customer> map();

		Customer[] array();

		Order order();

		Party party();

		Object any();

	}

	/** Base of a hierarchy. */
	@RpcSubtypes({ Customer.class, Company.class })
	public abstract static class Party {

	}

	/** Entity. */
	public static class Customer extends Party {

		String name;

		public Customer() {
		}

		public Customer(String name) {
			this.name = name;
		}

	}

	/** Entity. */
	public static final class Company extends Party {

		String name;

		Company() {
		}

		Company(String name) {
			this.name = name;
		}

	}

	/** Subclass with a name. */
	public static class Member extends Customer {

	}

	/** Entity with a reference. */
	public record Order(int id, Customer customer) {
	}

	/** Proxy of a customer, whose own fields are empty. */
	private static final class LazyCustomer extends Customer implements HibernateProxy {

		private final transient LazyInitializer initializer;

		LazyCustomer(Customer customer) {
			this.initializer = new Loaded(customer);
		}

		@Override
		public LazyInitializer getHibernateLazyInitializer() {
			return this.initializer;
		}

	}

	/** Proxy of a base, whose entity is of any of its classes. */
	private static final class LazyParty extends Party implements HibernateProxy {

		private final transient LazyInitializer initializer;

		LazyParty(Party party) {
			this.initializer = new Loaded(party);
		}

		@Override
		public LazyInitializer getHibernateLazyInitializer() {
			return this.initializer;
		}

	}

	/**
	 * State of a proxy.
	 *
	 * @param entity the entity, null if it is not loaded
	 */
	private record Loaded(Party entity) implements LazyInitializer {

		@Override
		public boolean isUninitialized() {
			return this.entity == null;
		}

		@Override
		public Object getImplementation() {
			return this.entity;
		}

	}

}
